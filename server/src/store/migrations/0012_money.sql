CREATE INDEX `tickets_by_order` ON `tickets` (`order_id`);--> statement-breakpoint
CREATE TABLE `attention` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`dedupe_key` text NOT NULL,
	`order_id` text,
	`payment_id` text,
	`amount_paise` integer NOT NULL,
	`detail` text NOT NULL,
	`created_at` integer NOT NULL,
	`resolved_at` integer,
	`resolved_by_name` text,
	`resolution` text,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE UNIQUE INDEX `attention_once` ON `attention` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `attention_open` ON `attention` (`created_at`) WHERE "attention"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX `attention_by_payment` ON `attention` (`payment_id`) WHERE "attention"."payment_id" is not null;--> statement-breakpoint
CREATE TABLE `cash_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`person_name` text NOT NULL,
	`opened_at` integer NOT NULL,
	`float_paise` integer NOT NULL,
	`closed_at` integer,
	`expected_paise` integer,
	`counted_paise` integer,
	`note` text
);--> statement-breakpoint
CREATE UNIQUE INDEX `cash_sessions_open` ON `cash_sessions` (`person_id`) WHERE "cash_sessions"."closed_at" is null;--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`payload` text NOT NULL,
	`order_id` text,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`lease_until` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`ended_at` integer,
	`gave_up` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`due_at`) WHERE "jobs"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `jobs_by_order` ON `jobs` (`order_id`) WHERE "jobs"."order_id" is not null;--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`provider` text NOT NULL,
	`provider_ref` text,
	`provider_payment_id` text,
	`utr` text,
	`url` text,
	`amount_paise` integer NOT NULL,
	`fee_paise` integer,
	`state` text NOT NULL,
	`recorded_by_id` text,
	`recorded_by_name` text,
	`note` text,
	`cash_session_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`captured_at` integer,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cash_session_id`) REFERENCES `cash_sessions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payments_amount" CHECK("payments"."amount_paise" >= 0),
	CONSTRAINT "payments_state" CHECK("payments"."state" in ('created', 'pending', 'captured', 'failed', 'void'))
);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_ref` ON `payments` (`provider_ref`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_id` ON `payments` (`provider_payment_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_utr` ON `payments` (`utr`);--> statement-breakpoint
CREATE INDEX `payments_by_order` ON `payments` (`order_id`);--> statement-breakpoint
CREATE INDEX `payments_by_session` ON `payments` (`cash_session_id`) WHERE "payments"."cash_session_id" is not null;--> statement-breakpoint
CREATE TABLE `provider_events` (
	`id` text PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`received_at` integer NOT NULL,
	`applied_at` integer
);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`ticket_id` text,
	`kind` text NOT NULL,
	`amount_paise` integer NOT NULL,
	`state` text NOT NULL,
	`provider_refund_id` text,
	`attempts` integer NOT NULL,
	`next_at` integer,
	`last_error` text,
	`reason` text,
	`requested_by_name` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_amount" CHECK("refunds"."amount_paise" > 0)
);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_provider_id` ON `refunds` (`provider_refund_id`);--> statement-breakpoint
CREATE INDEX `refunds_by_payment` ON `refunds` (`payment_id`);--> statement-breakpoint
CREATE INDEX `refunds_by_ticket` ON `refunds` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `refunds_open` ON `refunds` (`state`,`next_at`) WHERE "refunds"."state" in ('requested', 'sent');--> statement-breakpoint
ALTER TABLE `orders` ADD `code` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `event_id` text REFERENCES events(id);--> statement-breakpoint
ALTER TABLE `orders` ADD `channel` text DEFAULT 'web' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `state` text DEFAULT 'paid' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `provider` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `seller_id` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `seller_name` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `unit_paise` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `buyer_name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `buyer_email` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `buyer_phone` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `language` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `reason` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `hold_until` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `settled_at` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `orders` SET
	`code` = CASE WHEN length(`id`) = 26 THEN substr(`id`, 19) ELSE `id` END,
	`event_id` = (SELECT `event_id` FROM `tickets` WHERE `order_id` = `orders`.`id` LIMIT 1),
	`unit_paise` = `total_paise` / `quantity`,
	`buyer_name` = coalesce((SELECT `buyer_name` FROM `tickets` WHERE `order_id` = `orders`.`id` LIMIT 1), ''),
	`buyer_email` = coalesce((SELECT `buyer_email` FROM `tickets` WHERE `order_id` = `orders`.`id` LIMIT 1), ''),
	`settled_at` = `created_at`;--> statement-breakpoint
UPDATE `orders` SET `search_text` = lower(`code`) || ' ' || lower(`buyer_name`) || ' ' || lower(`buyer_email`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_seller_key` ON `orders` (`seller_id`,`idempotency_key`) WHERE "orders"."seller_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_code` ON `orders` (`code`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_held_once` ON `orders` (`user_id`) WHERE "orders"."state" = 'held';--> statement-breakpoint
CREATE INDEX `orders_held` ON `orders` (`hold_until`) WHERE "orders"."state" = 'held';--> statement-breakpoint
CREATE INDEX `orders_listed` ON `orders` (`event_id`,`id`);
