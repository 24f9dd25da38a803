ALTER TABLE `paired_devices` ADD `link_hash` text;--> statement-breakpoint
CREATE INDEX `orders_of_buyer` ON `orders` (`user_id`,`id`);