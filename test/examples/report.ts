import { type Fields, runCode } from '../harness/exampleCode';
import { campaign } from './decide';

interface Run {
	action?: string;
	/** Why Steps changed nothing. */
	problem?: string;
	name?: string;
	campaigns?: Fields[];
	rows?: Fields[];
	/** What the update of the campaign and that of its rows returned. */
	changed?: { campaign?: Fields; rows?: Fields[] };
	/** Undefined if the workflow was started in the editor. */
	form?: { formMode: string };
}

/** The page of example 13. */
export function report({ action = 'Show the report', name = 'Spring', changed = {}, ...run }: Run) {
	const { problem = '', campaigns = [campaign()], rows = [], form } = run;
	const [page] = runCode<{ html: string }>('Report', {
		nodes: {
			Steps: [{ id: name === 'Spring' ? 1 : 0, name, action, problem }],
			Campaigns: campaigns,
			Rows: rows,
			'Set campaign': changed.campaign ? [changed.campaign] : [],
			'Set rows': changed.rows ?? [],
			Form: form && [form],
		},
	});
	return page!.html;
}
