import { customOperations as byName, resourceProperties } from '../request/operation';
import { deleteDelivery } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';

const operations = [deleteDelivery, get, getAll];

export const properties = resourceProperties('deferred', operations, 'getAll');
export const customOperations = byName(operations);
