/** The bindings of nodes to Micrometer, an optional dependency: nothing else here needs it. */
@NullMarked
package io.drayage.transactor.micrometer;

import org.jspecify.annotations.NullMarked;
