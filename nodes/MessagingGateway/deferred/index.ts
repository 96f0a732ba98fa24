import { resource } from '../request/operation';
import { deleteDelivery, get, getAll } from './deliveries.operation';

export const deferred = resource('deferred', [deleteDelivery, get, getAll], 'getAll');
