-- Parameter: ID. A withdrawal that is too late still stops all further attempts.
UPDATE messaging_outbox SET updated_at = now(), expires_at = now(),
	status = CASE WHEN status = 'pending' AND sent_at IS NULL THEN 'withdrawn' ELSE status END
WHERE request_id = $1 AND status IN ('pending', 'sending');
SELECT id, status, recipient, text, to_json(sent_at) #>> '{}' AS "sentAt"
FROM messaging_outbox WHERE request_id = $1;
