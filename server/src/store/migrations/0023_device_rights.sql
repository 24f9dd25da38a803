CREATE TABLE `device_rights` (
	`id` text PRIMARY KEY NOT NULL,
	`device_id` text NOT NULL,
	`since` integer NOT NULL,
	`rights` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `device_rights_by_device` ON `device_rights` (`device_id`,`since`);--> statement-breakpoint
INSERT INTO `device_rights` (`id`, `device_id`, `since`, `rights`) SELECT `id`, `id`, `created_at`, `rights` FROM `paired_devices`;
