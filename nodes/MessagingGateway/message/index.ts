import { customOperations as byName, resourceProperties } from '../request/operation';
import { channelInfo, inviteInfo } from './lookups.operation';
import { send } from './send.operation';
import { sendAndWait } from './sendAndWait.operation';
import { sendMedia } from './sendMedia.operation';

// The most used first, then alphabetically.
const operations = [send, sendAndWait, sendMedia, channelInfo, inviteInfo];

export { answerWebhook, webhooks } from '../waiting/answerWebhook';
export const properties = resourceProperties('message', operations, 'send');
export const customOperations = byName(operations);
