-- Parameters: ID, recipient, text, from when on, until when. Another content replaces a message that has not begun.
INSERT INTO messaging_outbox AS own (request_id, recipient, text, send_at, expires_at, next_attempt_at)
VALUES ($1, $2, $3, $4::timestamptz, $5::timestamptz, coalesce($4::timestamptz, now()))
ON CONFLICT (request_id) DO UPDATE SET
	recipient = excluded.recipient, text = excluded.text, send_at = excluded.send_at, expires_at = excluded.expires_at,
	next_attempt_at = excluded.next_attempt_at, attempts = 0, reason = '', updated_at = now()
WHERE own.status = 'pending' AND own.sent_at IS NULL
	AND (own.recipient, own.text, own.send_at, own.expires_at)
		IS DISTINCT FROM (excluded.recipient, excluded.text, excluded.send_at, excluded.expires_at);
SELECT id, status, recipient, text, to_json(sent_at) #>> '{}' AS "sentAt", to_json(send_at) #>> '{}' AS "sendAt",
	to_json(expires_at) #>> '{}' AS "expiresAt", updated_at = now() AND created_at < now() AS replaced
FROM messaging_outbox WHERE request_id = $1;
