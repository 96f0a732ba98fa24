import { mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

import { signIn } from './editor.mjs';
import { bareEnvironment } from './environment.mjs';
import { lastLines, launch } from './launch.mjs';
import { live, platformNode } from './places.mjs';
import { Trouble } from './trouble.mjs';

const PATIENCE_MS = 120_000;

/** The n8n that is installed in that place. */
export async function startN8n({
	home,
	port,
	brokerPort,
	owner,
	environment = {},
	place = live,
	enter = signIn,
}) {
	const program = launchN8n('start', {
		home,
		port,
		brokerPort,
		environment: { ...whoSignsIn(owner), ...environment },
		place,
	});
	const url = `http://127.0.0.1:${port}`;
	return { program, url, editor: await whenReady(program, () => enter(url, owner)) };
}

/** One of the processes that n8n can be: `start` is all of it, or its main process; `webhook` and `worker` are queue mode's. */
export function launchN8n(command, { home, port, brokerPort, environment, place = live }) {
	const node = platformNode(place).program;
	mkdirSync(home, { recursive: true, mode: 0o700 });
	return launch(node, [join(place, 'node_modules/n8n/bin/n8n'), command], {
		cwd: home,
		env: {
			...bareEnvironment(),
			...whereItLives(home, port, brokerPort),
			...quiet,
			...environment,
			// n8n starts its task runner as plain 'node'.
			PATH: [dirname(node), process.env.PATH].join(delimiter),
		},
		log: join(home, 'logs', 'n8n.log'),
	});
}

function whereItLives(home, port, brokerPort) {
	return {
		HOME: home,
		USERPROFILE: home,
		N8N_USER_FOLDER: home,
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		// Without TLS a browser would not send a secure one back.
		N8N_SECURE_COOKIE: 'false',
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
	};
}

function whoSignsIn({ email, passwordHash }) {
	return {
		N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
		N8N_INSTANCE_OWNER_EMAIL: email,
		N8N_INSTANCE_OWNER_FIRST_NAME: 'Sandbox',
		N8N_INSTANCE_OWNER_LAST_NAME: 'Owner',
		N8N_INSTANCE_OWNER_PASSWORD_HASH: passwordHash,
	};
}

/** Nothing that calls n8n's servers or npm's, asks questions, or warns about what does not matter here. */
const quiet = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	// Else opening Settings > Community nodes asks npm's registry what is out of date, and waits for minutes without one.
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	// The assistant wants an account, and would be the first page after signing in.
	N8N_DISABLED_MODULES: 'mcp-registry,instance-ai',
};

/** A sign-in that works is the first sign that it is really there: /healthz answers before the database is ready. */
async function whenReady(program, enter) {
	const until = Date.now() + PATIENCE_MS;
	for (;;) {
		const editor = await enter();
		if (editor) return editor;
		if (program.hasEnded || Date.now() > until) break;
		await after(250);
	}
	throw new Trouble(
		`n8n did not start.\n\n${lastLines(program.log)}\n\nThe whole story: ${program.log}\nnpm run start:clean makes a fresh start.`,
	);
}
