ALTER TABLE `paired_devices` ADD `shift_names` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `reference` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `cash_session_id` text REFERENCES cash_sessions(id);--> statement-breakpoint
CREATE INDEX `refunds_by_session` ON `refunds` (`cash_session_id`) WHERE "refunds"."cash_session_id" is not null;