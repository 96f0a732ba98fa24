'use strict';

// n8n itself finds the classes through the "n8n" entry of package.json; this is for everybody else.
const { MessagingGatewayApi } = require('./dist/credentials/MessagingGatewayApi.credentials.js');
const { MessagingGateway } = require('./dist/nodes/MessagingGateway/MessagingGateway.node.js');
const {
	MessagingGatewayTrigger,
} = require('./dist/nodes/MessagingGateway/MessagingGatewayTrigger.node.js');

module.exports = { MessagingGateway, MessagingGatewayApi, MessagingGatewayTrigger };
