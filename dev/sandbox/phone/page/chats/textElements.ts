import { element } from '../base/elements';
import { type Block, chatBlocks, type Piece, type Style } from './chatText';

/** Creates the elements of a text with the formatting of chats. */
export function textElements(text: string): HTMLElement[] {
	return chatBlocks(text).map(blockElement);
}

function blockElement({ kind, pieces, indent }: Block): HTMLElement {
	const block = element(kind === 'code' ? 'code' : 'span', kind, ...pieces.map(pieceNode));
	if (pieces.length === 0) block.append(element('br', ''));
	if (indent) block.style.paddingInlineStart = `${Math.min(indent, MAX_INDENT) * 0.5}rem`;
	return block;
}

const MAX_INDENT = 8;
const STYLE_TAGS = { bold: 'strong', italic: 'i', strike: 's', code: 'code' } as const;

function pieceNode({ text, styles, url }: Piece): Node | string {
	return styles.reduceRight<Node | string>(
		(content, style: Style) => element(STYLE_TAGS[style], '', content),
		url === undefined ? text : link(text, url),
	);
}

function link(text: string, url: string): HTMLElement {
	const created = element('a', 'link', text);
	created.href = url;
	created.target = '_blank';
	created.rel = 'noopener noreferrer';
	return created;
}
