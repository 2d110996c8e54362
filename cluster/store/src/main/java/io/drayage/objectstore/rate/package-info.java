/**
 * Object stores around others: what they take and give is measured, or limited.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.objectstore.rate;

import org.jspecify.annotations.NullMarked;
