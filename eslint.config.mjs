import communityNodes from '@n8n/eslint-plugin-community-nodes';
import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { defineConfig, globalIgnores } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const published = ['package.json', '{nodes,credentials}/**/*.{ts,json}'];
// The .mjs files run before anything is installed, and so before TypeScript is there; tsconfig.json names the same ones.
const typed = [
	'{nodes,credentials,gateway,test,dev}/**/*.ts',
	'dev/**/*.{d.ts,mts,mjs}',
	'test/*/main.mjs',
	'test/simulation/*.mjs',
];

// The scanner's rules apply to the files that it scans, TypeScript's to all files with types.
const scannerRules = { files: published, extends: [await buildScanConfig()] };

// The scanner contains an older release of n8n's plugin. Of the newest one, warnings count as well.
const newestRules = {
	files: published,
	plugins: { newest: communityNodes },
	rules: Object.fromEntries(
		Object.keys(communityNodes.configs.recommended.rules).map((name) => [
			name.replace('@n8n/community-nodes', 'newest'),
			'error',
		]),
	),
};

export default defineConfig(
	globalIgnores(['dist', 'coverage', 'dev/live/.home', 'package-lock.json']),
	{ linterOptions: { noInlineConfig: true } },
	scannerRules,
	newestRules,
	{
		files: typed,
		// Like the scenarios of test/queue/, which they use.
		ignores: ['dev/bench/queue/**'],
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: { parserOptions: { projectService: true } },
		rules: {
			eqeqeq: 'error',
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
			],
			// n8n's hooks must return promises, also where there is nothing to await.
			'@typescript-eslint/require-await': 'off',
		},
	},
	// JavaScript runs in one thread, so a regular expression that takes quadratic time blocks all of n8n.
	{
		files: [
			'{nodes,credentials,gateway}/**/*.ts',
			'dev/{gatewayCheck,sandbox,live}/**/*.{ts,mjs}',
			'examples/code/**/*.js',
		],
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': 'error',
			'regexp/no-super-linear-move': 'error',
			'no-restricted-syntax': [
				'error',
				':matches(NewExpression, CallExpression)[callee.name=RegExp]',
			],
		},
	},
	// Its last part matches every text, so nothing is tried twice.
	{
		files: ['examples/code/shared/csv.js'],
		rules: { 'regexp/no-super-linear-backtracking': 'off' },
	},
	// Of the first bytes of files, the paths of endpoints, and the exit codes of countries.
	{
		files: [
			...['gateway/files/fileType.ts', 'gateway/wire/endpoints.ts'],
			'gateway/text/phoneNumber.library.ts',
		],
		rules: { 'no-restricted-syntax': 'off' },
	},
	// Libraries are loaded by the first item that needs them.
	{
		files: ['{nodes,gateway}/**/*.ts'],
		rules: {
			'@typescript-eslint/no-require-imports': [
				'error',
				{ allow: ['\\.library$', '/gateway/text/markdown$'] },
			],
		},
	},
	// n8n wraps the code of a Code node in a function. dev/tools/workflowCode.mjs replaces what it requires.
	{ files: ['examples/code/**/*.js'], languageOptions: { sourceType: 'commonjs' } },
	// Jest's matchers have the type any.
	{ files: ['test/**/*.ts'], rules: { '@typescript-eslint/no-unsafe-assignment': 'off' } },
);
