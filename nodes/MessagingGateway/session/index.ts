import { customOperations as byName, resourceProperties } from '../request/operation';
import { pair } from './pair.operation';
import { ping } from './ping.operation';
import { qr } from './qr.operation';
import { qrImage } from './qrImage.operation';
import { refresh } from './refresh.operation';
import { start } from './start.operation';
import { status } from './status.operation';
import { terminate } from './terminate.operation';
import { waitUntilOnline } from './waitUntilOnline.operation';

// The most used first, then alphabetically.
const operations = [pair, qr, qrImage, status, ping, refresh, start, terminate, waitUntilOnline];

export const properties = resourceProperties('session', operations, 'status');
export const customOperations = byName(operations);
