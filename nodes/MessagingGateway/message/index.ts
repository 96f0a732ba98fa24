import { customOperations as byName, resourceProperties } from '../request/operation';
import { channelInfo } from './channelInfo.operation';
import { inviteInfo } from './inviteInfo.operation';
import { send } from './send.operation';
import { sendAndWait } from './sendAndWait.operation';
import { sendMedia } from './sendMedia.operation';

const operations = [channelInfo, inviteInfo, send, sendAndWait, sendMedia];

export { answerWebhook, webhooks } from './answerWebhook';
export const properties = resourceProperties('message', operations, 'send');
export const customOperations = byName(operations);
