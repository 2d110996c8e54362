/**
 * The monitoring of a node: its HTTP endpoint, its meters, its audit log.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.admin;

import org.jspecify.annotations.NullMarked;
