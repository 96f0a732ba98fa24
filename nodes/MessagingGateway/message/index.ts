import { resource } from '../request/operation';
import { check } from './check.operation';
import { channelInfo, inviteInfo } from './lookups.operation';
import { send } from './send.operation';
import { sendAndWait } from './sendAndWait.operation';
import { sendJson } from './sendJson.operation';
import { sendMedia } from './sendMedia.operation';

// The most used first, then alphabetically.
const operations = [send, sendAndWait, sendMedia, check, channelInfo, inviteInfo, sendJson];

export const message = resource('message', operations, 'send');
