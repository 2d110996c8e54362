/** The nodes of a cluster, and the snapshots in its object store. */
@NullMarked
package io.drayage.cli.cluster;

import org.jspecify.annotations.NullMarked;
