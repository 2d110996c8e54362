/** {@code drayage snapshot}: what is in an object store. */
@NullMarked
package io.drayage.cli.snapshot;

import org.jspecify.annotations.NullMarked;
