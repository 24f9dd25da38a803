CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`action` text NOT NULL,
	`actor_id` text,
	`actor_name` text NOT NULL,
	`subject` text,
	`detail` text NOT NULL,
	`search_text` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_by_action` ON `audit` (`action`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_subject` ON `audit` (`subject`);--> statement-breakpoint
CREATE TABLE `conflicts` (
	`id` text PRIMARY KEY NOT NULL,
	`ticket_id` text NOT NULL,
	`holder_name` text NOT NULL,
	`over` text NOT NULL,
	`first` text NOT NULL,
	`second` text NOT NULL,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`first_device_id` text,
	`second_device_id` text,
	`acknowledged_by_name` text,
	`acknowledged_at` integer
);
--> statement-breakpoint
CREATE INDEX `conflicts_by_ticket` ON `conflicts` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `conflicts_by_time` ON `conflicts` (`created_at`);--> statement-breakpoint
CREATE INDEX `conflicts_by_revision` ON `conflicts` (`revision`);--> statement-breakpoint
CREATE TABLE `counters` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `devices` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text,
	`checker_name` text NOT NULL,
	`last_seen` integer NOT NULL,
	`unsent` integer NOT NULL,
	`oldest_unsent` integer,
	`roster_revision` integer
);
--> statement-breakpoint
CREATE INDEX `devices_by_last_seen` ON `devices` (`last_seen`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`lone` integer DEFAULT 1 NOT NULL,
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
	CONSTRAINT "events_lone" CHECK("events"."lone" = 1),
	CONSTRAINT "events_seats" CHECK("events"."taken_seats" between 0 and "events"."total_tickets"),
	CONSTRAINT "events_price" CHECK("events"."ticket_price_paise" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_lone_unique` ON `events` (`lone`);--> statement-breakpoint
CREATE TABLE `images` (
	`hash` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`bytes` blob NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`idempotency_key` text NOT NULL,
	`quantity` integer NOT NULL,
	`total_paise` integer NOT NULL,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_key` ON `orders` (`user_id`,`idempotency_key`);--> statement-breakpoint
CREATE TABLE `refusals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`code` text NOT NULL,
	`ticket_id` text,
	`holder_name` text,
	`checker_name` text NOT NULL,
	`device_id` text,
	`device_name` text
);
--> statement-breakpoint
CREATE INDEX `refusals_by_code` ON `refusals` (`code`);--> statement-breakpoint
CREATE INDEX `refusals_by_time` ON `refusals` (`at`);--> statement-breakpoint
CREATE TABLE `scans` (
	`id` text PRIMARY KEY NOT NULL,
	`ticket_id` text,
	`outcome` text NOT NULL,
	`admitted_offline` integer NOT NULL,
	`manual` integer NOT NULL,
	`device_id` text,
	`device_name` text,
	`checker_id` text NOT NULL,
	`checker_name` text NOT NULL,
	`sender_id` text NOT NULL,
	`sender_name` text NOT NULL,
	`device_time` integer,
	`at` integer NOT NULL,
	`received_at` integer NOT NULL,
	`undone_at` integer,
	`answer_status` integer NOT NULL,
	`answer` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `scans_by_ticket` ON `scans` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `scans_by_outcome` ON `scans` (`outcome`,`at`);--> statement-breakpoint
CREATE INDEX `scans_by_device` ON `scans` (`device_id`,`outcome`);--> statement-breakpoint
CREATE INDEX `scans_by_checker` ON `scans` (`checker_id`);--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`private_jwk` text NOT NULL,
	`public_jwk` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tickets` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`order_id` text,
	`user_id` text,
	`buyer_name` text NOT NULL,
	`buyer_email` text NOT NULL,
	`price_paise` integer NOT NULL,
	`status` text NOT NULL,
	`qr_code` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`entry_time` integer,
	`entry_scan_id` text,
	`scanned_by_name` text,
	`scanned_at_device` text,
	`cancelled_at` integer,
	`cancellation_reason` text,
	`is_refund_done` integer,
	`revision` integer NOT NULL,
	`search_text` text NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "tickets_status" CHECK("tickets"."status" in ('active', 'used', 'cancelled', 'deleted')),
	CONSTRAINT "tickets_entry" CHECK(("tickets"."status" <> 'used') or "tickets"."entry_time" is not null)
);
--> statement-breakpoint
CREATE INDEX `tickets_by_owner` ON `tickets` (`user_id`,`status`);--> statement-breakpoint
CREATE INDEX `tickets_by_status` ON `tickets` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_by_sale` ON `tickets` (`created_at`,`status`,`price_paise`);--> statement-breakpoint
CREATE INDEX `tickets_by_revision` ON `tickets` (`revision`);--> statement-breakpoint
CREATE INDEX `tickets_by_order` ON `tickets` (`order_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`firebase_uid` text NOT NULL,
	`email` text NOT NULL,
	`email_verified` integer NOT NULL,
	`name` text NOT NULL,
	`photo_url` text,
	`role` text NOT NULL,
	`was_checker` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_login` integer,
	`search_text` text NOT NULL,
	CONSTRAINT "users_role" CHECK("users"."role" in ('guest', 'admin', 'manager', 'qrchecker'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_firebaseUid_unique` ON `users` (`firebase_uid`);--> statement-breakpoint
CREATE INDEX `users_by_email` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_by_role` ON `users` (`role`,`id`);