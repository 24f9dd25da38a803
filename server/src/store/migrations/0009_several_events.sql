PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_events` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`venue` text NOT NULL,
	`description` text NOT NULL,
	`date` text NOT NULL,
	`start_time` text NOT NULL,
	`end_time` text NOT NULL,
	`ticket_price_paise` integer NOT NULL,
	`group_price_paise` integer,
	`total_tickets` integer NOT NULL,
	`taken_seats` integer DEFAULT 0 NOT NULL,
	`image_hash` text,
	`features` text NOT NULL,
	`about_text` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`image_hash`) REFERENCES `images`(`hash`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "events_seats" CHECK("__new_events"."taken_seats" between 0 and "__new_events"."total_tickets"),
	CONSTRAINT "events_price" CHECK("__new_events"."ticket_price_paise" > 0)
);
--> statement-breakpoint
INSERT INTO `__new_events`("id", "name", "venue", "description", "date", "start_time", "end_time", "ticket_price_paise", "group_price_paise", "total_tickets", "taken_seats", "image_hash", "features", "about_text", "created_at", "updated_at") SELECT "id", "name", "venue", "description", "date", "start_time", "end_time", "ticket_price_paise", "group_price_paise", "total_tickets", "taken_seats", "image_hash", "features", "about_text", "created_at", "updated_at" FROM `events`;--> statement-breakpoint
DROP TABLE `events`;--> statement-breakpoint
ALTER TABLE `__new_events` RENAME TO `events`;--> statement-breakpoint
PRAGMA foreign_keys=ON;