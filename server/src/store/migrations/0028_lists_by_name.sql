CREATE INDEX `audit_by_actor` ON `audit` (lower("actor_name"),`id`);--> statement-breakpoint
CREATE INDEX `audit_by_subject` ON `audit` (lower(case when "subject_name" is null then '' else "subject_name" end),`id`);--> statement-breakpoint
CREATE INDEX `tickets_by_name` ON `tickets` (`event_id`,lower(case when "holder_name" is null then "buyer_name" else "holder_name" end),`id`);--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (lower("name"),`id`);