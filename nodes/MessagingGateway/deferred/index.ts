import { customOperations as byName, resourceProperties } from '../request/operation';
import { deleteDelivery, get, getAll } from './deliveries.operation';

const operations = [deleteDelivery, get, getAll];

export const properties = resourceProperties('deferred', operations, 'getAll');
export const customOperations = byName(operations);
