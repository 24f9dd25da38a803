DROP INDEX `conflicts_by_time`;--> statement-breakpoint
ALTER TABLE `conflicts` ADD `event_id` text;--> statement-breakpoint
CREATE INDEX `conflicts_by_time` ON `conflicts` (`event_id`,`created_at`);--> statement-breakpoint
DROP INDEX `refusals_by_code`;--> statement-breakpoint
DROP INDEX `refusals_by_time`;--> statement-breakpoint
ALTER TABLE `refusals` ADD `event_id` text;--> statement-breakpoint
CREATE INDEX `refusals_by_code` ON `refusals` (`event_id`,`code`);--> statement-breakpoint
CREATE INDEX `refusals_by_time` ON `refusals` (`event_id`,`at`);--> statement-breakpoint
DROP INDEX `scans_standing`;--> statement-breakpoint
ALTER TABLE `scans` ADD `event_id` text;--> statement-breakpoint
CREATE INDEX `scans_standing` ON `scans` (`event_id`,`device_id`) WHERE "scans"."outcome" = 'admitted' and "scans"."undone_at" is null;--> statement-breakpoint
DROP INDEX `tickets_by_owner`;--> statement-breakpoint
DROP INDEX `tickets_by_status`;--> statement-breakpoint
DROP INDEX `tickets_sold`;--> statement-breakpoint
DROP INDEX `tickets_listed`;--> statement-breakpoint
DROP INDEX `tickets_by_entry`;--> statement-breakpoint
CREATE INDEX `tickets_by_owner` ON `tickets` (`user_id`,`event_id`,`status`);--> statement-breakpoint
CREATE INDEX `tickets_by_status` ON `tickets` (`event_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_sold` ON `tickets` (`event_id`,`created_at`,`status`,`price_paise`) WHERE "tickets"."status" in ('active', 'used');--> statement-breakpoint
CREATE INDEX `tickets_listed` ON `tickets` (`event_id`,`id`,`status`,`search_text`) WHERE "tickets"."status" <> 'deleted';--> statement-breakpoint
CREATE INDEX `tickets_by_entry` ON `tickets` (`event_id`,`entry_time`) WHERE "tickets"."status" = 'used';--> statement-breakpoint
ALTER TABLE `audit` ADD `event_id` text;--> statement-breakpoint
ALTER TABLE `events` ADD `closed_at` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `closed_revision` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `events_open` ON `events` (("closed_at" is null)) WHERE "events"."closed_at" is null;--> statement-breakpoint
UPDATE `conflicts` SET `event_id` = (SELECT `id` FROM `events`);--> statement-breakpoint
UPDATE `refusals` SET `event_id` = (SELECT `id` FROM `events`);--> statement-breakpoint
UPDATE `scans` SET `event_id` = (SELECT `id` FROM `events`);--> statement-breakpoint
UPDATE `audit` SET `event_id` = (SELECT `id` FROM `events`) WHERE `action` LIKE 'event.%' OR `action` LIKE 'ticket.%';
