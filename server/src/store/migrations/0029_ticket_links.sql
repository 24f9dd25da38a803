CREATE TABLE `ticket_links` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`purpose` text NOT NULL,
	`event_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `link_devices` (
	`link_id` text NOT NULL,
	`device` text NOT NULL,
	`opened_at` integer NOT NULL,
	PRIMARY KEY(`link_id`, `device`),
	FOREIGN KEY (`link_id`) REFERENCES `ticket_links`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `link_tickets` (
	`link_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	PRIMARY KEY(`link_id`, `ticket_id`),
	FOREIGN KEY (`link_id`) REFERENCES `ticket_links`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `link_tickets_by_ticket` ON `link_tickets` (`ticket_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `ticket_links_token` ON `ticket_links` (`token_hash`);--> statement-breakpoint
ALTER TABLE `tickets` ADD `new_codes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `tickets` ADD `replaced_at` integer;