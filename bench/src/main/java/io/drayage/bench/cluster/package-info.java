/** The nodes of a real cluster on the command line: transactors and workers. */
@NullMarked
package io.drayage.bench.cluster;

import org.jspecify.annotations.NullMarked;
