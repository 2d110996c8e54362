/** What a result was measured on: machine, system, JVM, build and libraries. */
@NullMarked
package io.drayage.bench.environment;

import org.jspecify.annotations.NullMarked;
