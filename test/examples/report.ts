import { type Fields, runCode } from '../harness/exampleCode';
import { campaign } from './decide';

/** The page of example 13. */
export function report({ action = 'Show the report', name = 'Spring', ...tables }: Fields) {
	const { campaigns = [campaign()], rows = [] } = tables as Record<string, Fields[]>;
	const [page] = runCode<{ html: string }>('Report', {
		nodes: {
			Steps: [{ id: name === 'Spring' ? 1 : 0, name, action, problem: '' }],
			Campaigns: campaigns,
			Rows: rows,
			...{ 'Set campaign': [], 'Set rows': [] },
		},
	});
	return page!.html;
}
