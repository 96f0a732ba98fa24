import { resource } from '../request/operation';
import { commands } from './commands.operation';
import { pair } from './pair.operation';
import { qr, qrImage } from './qr.operation';
import { waitUntilOnline } from './waitUntilOnline.operation';

// The most used first, then alphabetically.
export const session = resource(
	'session',
	[pair, qr, qrImage, ...commands, waitUntilOnline],
	'status',
);
