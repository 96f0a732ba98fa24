import type { Fault, RecordedRequest, Sandbox, SandboxOptions } from '../../dev/sandbox/sandbox';
import { startSandbox } from '../../dev/sandbox/sandbox';
import type { Account } from './engine';

export interface Gateway extends Sandbox {
	account: Account;
	/** The only recorded request. Fails if there is more than one, or none. */
	theRequest(): RecordedRequest;
	answerWith(body: Fault['body'], rest?: Fault): void;
}

/** One sandbox for all tests of a file. It is paired and online before each test. */
export function useGateway(options: SandboxOptions = {}): Gateway {
	const gateway = {} as Gateway;
	beforeAll(async () => await open(gateway, options));
	beforeEach(() => {
		gateway.reset();
		gateway.setStatus('ONLINE');
	});
	afterAll(async () => await gateway.close());
	return gateway;
}

/** A new sandbox for each test, because the node remembers clock offset and rate limit of an account. */
export function useNewGateways(options: SandboxOptions = {}): Gateway {
	const gateway = {} as Gateway;
	beforeEach(async () => {
		await open(gateway, options);
		gateway.setStatus('ONLINE');
	});
	afterEach(async () => await gateway.close());
	return gateway;
}

async function open(gateway: Gateway, options: SandboxOptions) {
	const sandbox = await startSandbox(options);
	const { baseUrl, token, secret } = sandbox;
	Object.assign(gateway, sandbox, {
		account: { baseUrl, token, secret },
		theRequest() {
			const requests = sandbox.requests();
			expect(requests).toHaveLength(1);
			return requests[0]!;
		},
		answerWith(body: Fault['body'], rest: Fault = {}) {
			sandbox.faults([{ body, ...rest }]);
		},
	});
}
