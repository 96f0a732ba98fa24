import { customOperations as byName, resourceProperties } from '../request/operation';
import { channelInfo } from './channelInfo.operation';
import { inviteInfo } from './inviteInfo.operation';
import { send } from './send.operation';
import { sendMedia } from './sendMedia.operation';

const operations = [send, sendMedia, channelInfo, inviteInfo];

export const properties = resourceProperties('message', operations, 'send');
export const customOperations = byName(operations);
