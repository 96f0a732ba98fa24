import { customOperations as byName, resourceProperties } from '../request/operation';
import { commands } from './commands.operation';
import { pair } from './pair.operation';
import { qr, qrImage } from './qr.operation';
import { waitUntilOnline } from './waitUntilOnline.operation';

// The most used first, then alphabetically.
const operations = [pair, qr, qrImage, ...commands, waitUntilOnline];

export const properties = resourceProperties('session', operations, 'status');
export const customOperations = byName(operations);
