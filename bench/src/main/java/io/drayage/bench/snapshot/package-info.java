/** {@code drayage snapshot}: what lies in an object store. */
@NullMarked
package io.drayage.bench.snapshot;

import org.jspecify.annotations.NullMarked;
