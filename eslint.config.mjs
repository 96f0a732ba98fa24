import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const published = ['package.json', '{nodes,credentials}/**/*.{ts,json}'];
const typescript = ['{nodes,credentials,gateway,sandbox,test,bench}/**/*.ts'];

// The scanner's own rules, one for one, on what it looks at; and TypeScript's on all of ours.
const scannerRules = { files: published, extends: [await buildScanConfig()] };

export default defineConfig(
	globalIgnores(['dist', 'coverage', 'live/.home', 'package-lock.json']),
	{ linterOptions: { noInlineConfig: true } },
	scannerRules,
	{
		files: typescript,
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: { parserOptions: { projectService: true } },
		rules: {
			eqeqeq: 'error',
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
			],
			// n8n's hooks are typed to give promises, whether there is something to wait for or not.
			'@typescript-eslint/require-await': 'off',
		},
	},
	// Jest types its matchers as any.
	{ files: ['test/**/*.ts'], rules: { '@typescript-eslint/no-unsafe-assignment': 'off' } },
);
