// Only one run may send for a number. If two have claimed rows at the same time, at least one of them sees the rows of the other
// here, because each reads after it has claimed. It releases its own: they are 'pending' again.
const rows = $('Being sent')
	.all()
	.map(({ json }) => json);
const own = rows.filter(({ claimedBy }) => claimedBy === $execution.id);
const others = rows.filter(({ claimedBy }) => claimedBy !== $execution.id);
const isShared = own.some((row) =>
	others.some((other) => (other.number || '') === (row.number || '')),
);
return own.map((row) => ({ json: { ...row, status: isShared ? 'pending' : 'sending' } }));
