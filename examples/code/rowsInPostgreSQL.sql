SELECT id AS "movedId", request_id AS "requestId", recipient, text, number,
	regexp_replace(recipient, '\D', '', 'g') AS person, attempts,
	CASE WHEN status = 'sending' THEN 'pending' ELSE status END AS status,
	CASE WHEN status = 'sending' THEN 'It was moved while it was sent; unknown: it may have been sent' ELSE reason END AS reason,
	to_json(next_attempt_at) #>> '{}' AS "nextAttemptAt", to_json(send_at) #>> '{}' AS "sendAt",
	to_json(expires_at) #>> '{}' AS "expiresAt",
	to_json(CASE WHEN status = 'sending' THEN now() ELSE sent_at END) #>> '{}' AS "sentAt"
FROM messaging_outbox ORDER BY id;
