# Removes the service and the scheduled task. Data, backups and logs remain; delete C:\ProgramData\TPWebServices yourself. Run it as Administrator.
# This script has not been run on Windows; docs/operators/windows.md says what was tested.
param(
  [string]$Program = 'C:\Program Files\TPWebServices',
  [string]$Data = 'C:\ProgramData\TPWebServices'
)
$ErrorActionPreference = 'Stop'

Stop-Service tpwebservices -ErrorAction SilentlyContinue
& "$Data\service\tpwebservices.exe" uninstall
if ($LASTEXITCODE -ne 0) { throw "WinSW ended with $LASTEXITCODE" }
$path = [Environment]::GetEnvironmentVariable('Path', 'Machine') -split ';'
[Environment]::SetEnvironmentVariable('Path', (($path -ne "$Program\deploy\windows\bin") -join ';'), 'Machine')
Unregister-ScheduledTask -TaskName 'TPWebServices backup' -Confirm:$false
