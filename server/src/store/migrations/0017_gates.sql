CREATE TABLE `gates` (
	`name` text PRIMARY KEY NOT NULL,
	`kinds` text NOT NULL,
	`place` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `tickets_by_entry`;--> statement-breakpoint
ALTER TABLE `tickets` ADD `kind` text DEFAULT 'online' NOT NULL;--> statement-breakpoint
ALTER TABLE `tickets` ADD `entry_gate` text;--> statement-breakpoint
CREATE INDEX `tickets_by_entry` ON `tickets` (`event_id`,`entry_time`,`entry_gate`) WHERE "tickets"."status" = 'used';--> statement-breakpoint
ALTER TABLE `scans` ADD `gate` text;--> statement-breakpoint
UPDATE `tickets` SET `kind` = 'counter' WHERE `order_id` IN (SELECT `id` FROM `orders` WHERE `channel` <> 'web');--> statement-breakpoint
UPDATE `tickets` SET `kind` = 'complimentary' WHERE `order_id` IN (SELECT `id` FROM `orders` WHERE `provider` = 'complimentary');--> statement-breakpoint
UPDATE `tickets` SET `kind` = 'paper' WHERE `id` IN (SELECT `ticket_id` FROM `block_codes`);
