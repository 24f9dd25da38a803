CREATE TABLE `paired_devices` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`gates` text NOT NULL,
	`rights` text NOT NULL,
	`until` integer NOT NULL,
	`created_by_id` text,
	`created_by_name` text NOT NULL,
	`created_at` integer NOT NULL,
	`code_hash` text,
	`code_expires_at` integer NOT NULL,
	`code_used_at` integer,
	`paired_at` integer,
	`public_key` text,
	`label` text,
	`shift_name` text,
	`gate` text,
	`revoked_at` integer,
	`revoked_by_name` text,
	`end_heard_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `paired_devices_code` ON `paired_devices` (`code_hash`) WHERE "paired_devices"."code_hash" is not null;--> statement-breakpoint
ALTER TABLE `scans` ADD `flag` text;--> statement-breakpoint
CREATE INDEX `scans_flagged` ON `scans` (`event_id`,`received_at`) WHERE "scans"."flag" is not null;