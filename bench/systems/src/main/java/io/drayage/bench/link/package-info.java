/**
 * What lies between workers and a transactor on one machine: loopback, or network namespaces with a
 * link of a rate between them. How such a link is made stands in {@code
 * cluster-scripts/local-cluster.sh} alone, which is part of the jar.
 */
@NullMarked
package io.drayage.bench.link;

import org.jspecify.annotations.NullMarked;
