/**
 * What runs in the rig's children: the main classes of worker and transactor, and the databases
 * that the cargoes are committed to.
 */
@NullMarked
package io.drayage.bench.rig.node;

import org.jspecify.annotations.NullMarked;
