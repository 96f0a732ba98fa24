-- Parameter: rows. A row that was being sent may have been sent. Of rows with one ID, the first one counts.
INSERT INTO messaging_outbox (request_id, recipient, text, number, status, attempts, reason, next_attempt_at, send_at, expires_at, sent_at, created_at)
SELECT "requestId", coalesce(recipient, ''), coalesce(text, ''), coalesce(number, ''),
	CASE WHEN status = 'sending' THEN 'pending' ELSE status END, coalesce(attempts, 0),
	CASE WHEN status = 'sending' THEN 'It was moved while it was sent; unknown: it may have been sent' ELSE coalesce(reason, '') END,
	coalesce("nextAttemptAt", now()), "sendAt", "expiresAt",
	CASE WHEN status = 'sending' THEN now() ELSE "sentAt" END, coalesce("createdAt", now())
FROM jsonb_to_recordset($1::jsonb) AS each (
	id integer, "requestId" text, recipient text, text text, number text, status text, attempts integer, reason text,
	"nextAttemptAt" timestamptz, "sendAt" timestamptz, "expiresAt" timestamptz, "sentAt" timestamptz, "createdAt" timestamptz)
ORDER BY id
ON CONFLICT (request_id) DO NOTHING;
