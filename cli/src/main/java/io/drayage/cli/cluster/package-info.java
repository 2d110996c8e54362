/** The nodes of a cluster, and what an operator tells them. */
@NullMarked
package io.drayage.cli.cluster;

import org.jspecify.annotations.NullMarked;
