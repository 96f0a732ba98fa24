DELETE FROM messaging_outbox
WHERE updated_at < now() - interval '30 days' AND status NOT IN ('pending', 'sending');
