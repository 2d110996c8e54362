/**
 * What every process under the rig needs, whatever it ships with: the control channel, and the
 * meters of what an iteration costs. The peers' processes have a class path of their own, so this
 * knows neither a network nor a database.
 */
@NullMarked
package io.drayage.bench.child;

import org.jspecify.annotations.NullMarked;
