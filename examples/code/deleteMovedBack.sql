-- Parameter: the IDs of the rows that are in the data table now.
DELETE FROM messaging_outbox WHERE id IN (SELECT value::integer FROM jsonb_array_elements_text($1::jsonb));
