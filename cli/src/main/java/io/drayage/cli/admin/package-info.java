/**
 * The HTTP endpoint of a node: whether it lives and is ready, its metrics, threads and shipments.
 */
@NullMarked
package io.drayage.cli.admin;

import org.jspecify.annotations.NullMarked;
