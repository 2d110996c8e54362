/** Committed changes, written as they follow each other. */
@NullMarked
package io.drayage.changes;

import org.jspecify.annotations.NullMarked;
