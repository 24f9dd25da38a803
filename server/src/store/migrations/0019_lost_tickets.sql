CREATE TABLE `lost_tickets` (
	`id` text PRIMARY KEY NOT NULL,
	`ticket_id` text NOT NULL,
	`event_id` text NOT NULL,
	`qr_code` text NOT NULL,
	`user_id` text NOT NULL,
	`offered_at` integer NOT NULL,
	`state` text NOT NULL,
	`decided_at` integer,
	`decided_by_name` text,
	`note` text,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "lost_tickets_state" CHECK("lost_tickets"."state" in ('waiting', 'confirmed', 'refused'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `lost_tickets_once` ON `lost_tickets` (`user_id`,`ticket_id`);--> statement-breakpoint
CREATE INDEX `lost_tickets_by_ticket` ON `lost_tickets` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `lost_tickets_listed` ON `lost_tickets` (`event_id`,`state`,`id`);