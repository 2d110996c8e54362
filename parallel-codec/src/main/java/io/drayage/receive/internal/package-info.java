/**
 * How a cargo in segments is decoded, by the receiver and by who loads a stored one.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.receive.internal;

import org.jspecify.annotations.NullMarked;
