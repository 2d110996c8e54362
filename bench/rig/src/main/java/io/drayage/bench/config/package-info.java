/** The file of settings that {@code drayage tune} writes, and that all commands read. */
@NullMarked
package io.drayage.bench.config;

import org.jspecify.annotations.NullMarked;
